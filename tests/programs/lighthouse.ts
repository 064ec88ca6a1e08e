// Packages of tests/, which files outside of it cannot import.
export { launch } from 'chrome-launcher';
export { default as lighthouse, type Result } from 'lighthouse';
