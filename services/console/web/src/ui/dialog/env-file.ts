/** Formats variables as a `.env` file. Values with other characters than those of ids and secrets are quoted. */
export const formatEnvFile = (variables: readonly (readonly [name: string, value: string])[]): string =>
  variables.map(([name, value]) => `${name}=${quote(value)}\n`).join('')

/** Quotes for a POSIX shell, which most readers of such files follow. */
const quote = (value: string): string =>
  /^[\w.:/+=@-]*$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
