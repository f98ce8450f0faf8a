import {
  AliasNotFoundError,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core'

/** Returns the message of an error of the command line itself, in words of the program and not of its library. */
export function describeUsageError(error: unknown): string {
  if (error instanceof FlagNotFoundError)
    return `unknown option --${error.input}${suggest(error.corrections.map((name) => `--${name}`))}`
  if (error instanceof AliasNotFoundError) return `unknown option -${error.input}`
  if (error instanceof UnsatisfiedPositionalError) return `missing argument <${error.placeholder}>`
  if (error instanceof UnexpectedPositionalError) return `unexpected argument ${JSON.stringify(error.input)}`
  if (error instanceof UnsatisfiedFlagError) return `--${error.externalFlagName} needs a value`
  if (error instanceof UnexpectedFlagError) return `--${error.externalFlagName} is given twice`
  if (error instanceof InvalidNegatedFlagSyntaxError) return `--${error.externalFlagName} takes no value`
  if (error instanceof EnumValidationError)
    return `--${error.externalFlagName} ${JSON.stringify(error.input)}: must be one of ${error.values.join(', ')}`
  if (error instanceof ArgumentParseError) {
    const reason = error.exception instanceof Error ? error.exception.message : String(error.exception)
    return `${error.externalFlagNameOrPlaceholder} ${JSON.stringify(error.input)}: ${reason}`
  }
  return error instanceof Error ? error.message : String(error)
}

/** Returns the message for a word that names no command. */
export const describeUnknownCommand = (input: string, corrections: readonly string[]): string =>
  input.startsWith('-')
    ? `unknown option ${input}; see wp --help`
    : `unknown command ${JSON.stringify(input)}${corrections.length === 0 ? '; see wp --help' : suggest(corrections)}`

const suggest = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; did you mean ${names.map((name) => name.replaceAll('`', '')).join(' or ')}?`
