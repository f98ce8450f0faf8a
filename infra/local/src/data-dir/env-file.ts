/**
 * Formats an environment as a file for `node --env-file`. Each value is quoted with a character that it does not
 * contain, because a bare `#` starts a comment. Nothing is interpreted inside single quotes and backticks.
 */
export function formatEnvFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      const quote = ["'", '`', '"'].find((mark) => !value.includes(mark))
      if (quote === undefined) throw new Error(`${name} contains every kind of quote`)
      return `${name}=${quote}${value}${quote}\n`
    })
    .join('')
}
