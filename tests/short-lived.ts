/**
 * For processes that end after seconds or minutes: V8 optimizes a function of the embedded engine after it has run fifteen
 * times as long as by itself. The largest cost seconds of a core, which a test never earns back (decision 049).
 */
export const SHORT_LIVED = ['--wasm-tiering-budget=200000000'];
