// Packages installed in tests/, which files of other folders cannot import.
export { launch } from 'chrome-launcher';
export { default as lighthouse, type Result } from 'lighthouse';
