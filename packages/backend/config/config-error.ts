/** The message is one line that names the setting and how to correct it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
