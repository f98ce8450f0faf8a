/** Returns the first option that is a whole number. */
export const numericOption = (options: readonly string[]): number | undefined => numericOptions(options)[0]

/** Returns the options that are whole numbers. */
export const numericOptions = (options: readonly string[]): number[] =>
  options.filter((option) => /^\d+$/.test(option)).map(Number)

/** Returns the option that follows a name, for example `--only`. */
export function optionValue(options: readonly string[], name: string): string | undefined {
  const index = options.indexOf(name)
  return index < 0 ? undefined : options[index + 1]
}
