import {
  AliasNotFoundError,
  ArgumentParseError,
  buildApplication,
  buildRouteMap,
  EnumValidationError,
  ExitCode,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  run,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core'
import packageJson from '../package.json' with { type: 'json' }
import { login, logout, whoami } from './commands/account/commands.ts'
import { agents } from './commands/agents/commands.ts'
import { api } from './commands/api/commands.ts'
import { audit } from './commands/audit/commands.ts'
import { completions } from './commands/completions/commands.ts'
import { evaluations } from './commands/eval/commands.ts'
import { forecast } from './commands/forecast/commands.ts'
import { keys } from './commands/keys/commands.ts'
import { principals } from './commands/principals/commands.ts'
import { resourceCommands } from './commands/resources/commands.ts'
import { search } from './commands/search/commands.ts'
import { sources } from './commands/sources/commands.ts'
import { usage } from './commands/usage/commands.ts'
import { webhooks } from './commands/webhooks/commands.ts'
import type { Context } from './context.ts'
import { exitCodeOf, exitCodes, formatError, UsageError } from './errors.ts'

const root = buildRouteMap({
  routes: {
    login,
    logout,
    whoami,
    search,
    sources,
    forecast,
    agents,
    eval: evaluations,
    webhooks,
    keys,
    principals,
    ...resourceCommands,
    audit,
    usage,
    api,
    completions,
  },
  docs: { brief: 'The command line of the workspace platform' },
})

/** The commands. Their flags are declared here; what a command does is loaded when it runs. */
export const app = buildApplication(root, {
  name: 'wp',
  versionInfo: { currentVersion: packageJson.version },
  scanner: {
    caseStyle: 'allow-kebab-for-camel',
    allowArgumentEscapeSequence: true,
    // A suggestion is a word with letters left out, added, exchanged, or one of them wrong.
    distanceOptions: { threshold: 2, weights: { insertion: 1, deletion: 1, substitution: 2, transposition: 0 } },
  },
  determineExitCode: exitCodeOf,
  localization: {
    text: {
      ...text_en,
      exceptionWhileRunningCommand: formatError,
      exceptionWhileParsingArguments: (error) => formatError(new UsageError(describeUsageError(error))),
      noCommandRegisteredForInput: ({ input, corrections }) =>
        formatError(new UsageError(describeUnknownCommand(input, corrections))),
    },
  },
})

/** Runs a command of the command line. @returns the exit code */
export async function runCommand(args: readonly string[], context: Context): Promise<number> {
  await run(app, args[0] === 'help' ? [...args.slice(1), '--help'] : args, context)
  const code = Number(context.process.exitCode ?? exitCodes.ok)
  // The library reports errors of the command line with negative codes.
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return exitCodes.usage
  return code < 0 ? exitCodes.failed : code
}

/** Returns the message of an error of the command line itself, in words of the program and not of its library. */
function describeUsageError(error: unknown): string {
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
const describeUnknownCommand = (input: string, corrections: readonly string[]): string =>
  input.startsWith('-')
    ? `unknown option ${input}; see wp --help`
    : `unknown command ${JSON.stringify(input)}${corrections.length === 0 ? '; see wp --help' : suggest(corrections)}`

const suggest = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; did you mean ${names.map((name) => name.replaceAll('`', '')).join(' or ')}?`
