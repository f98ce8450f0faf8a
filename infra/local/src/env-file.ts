/**
 * An environment as a file for `node --env-file`. Values stand in quotes that they do not hold, since a bare `#` would
 * begin a comment; inside single quotes and backticks nothing is interpreted.
 */
export function formatEnvFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => {
      const quote = ["'", '`', '"'].find((mark) => !value.includes(mark))
      if (quote === undefined) throw new Error(`${name} holds every kind of quote`)
      return `${name}=${quote}${value}${quote}\n`
    })
    .join('')
}
