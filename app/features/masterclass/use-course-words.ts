import { useContext } from 'react';
import { ContentContext, useFacts } from '#context/use-facts.ts';
import { courseWords } from './model/course-words.ts';

export const useCourseWords = () => courseWords(useFacts(), useContext(ContentContext));
