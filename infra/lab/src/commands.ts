import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** An option of a command, given as `--name value`, or as `--name` if it is a flag. */
interface Option<Value> {
  help: string
  kind: 'text' | 'flag'
  isList?: boolean
  /** @throws Error saying which values are allowed */
  read(values: readonly string[]): Value
}

type Options = Readonly<Record<string, Option<unknown>>>
type ValuesOf<Known extends Options> = { [Name in keyof Known]: ReturnType<Known[Name]['read']> }

/** A command line program: what `--help` prints, and what runs with the values of the options. */
export interface Command {
  /** The first line stands in the list of all commands. */
  summary: string
  /** Words beside the options: their help, and the allowed ones. */
  words?: { help: string; choices?: readonly string[] }
  options: Options
  /** @returns the exit code. @throws UsageError for wrong arguments */
  run(args: readonly string[]): Promise<number>
}

/** Thrown for arguments that the command does not accept. */
class UsageError extends Error {}

type Bounds = readonly [min: number, max: number]

/** A whole number within bounds. */
export const numberOption = (help: string, initial: number, bounds: Bounds): Option<number> => ({
  help: `${help}; ${bounds.join(' to ')}, default ${initial}`,
  kind: 'text',
  read: ([text = String(initial)]) => readNumber(text, bounds),
})

/** The seed of a run; each run has another one if it is not given. */
export const seedOption = (): Option<number> => ({
  help: 'repeats the decisions of a run; default: random',
  kind: 'text',
  read: ([text = String(randomInt(2 ** 31))]) => readNumber(text, [0, 2 ** 31 - 1]),
})

function readNumber(text: string, [min, max]: Bounds): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}, not ${text}`)
  return value
}

export const textOption = (help: string, choices?: readonly string[]): Option<string | undefined> => ({
  help: withChoices(help, choices),
  kind: 'text',
  read: ([text]) => (text === undefined ? undefined : requireChoice(text, choices)),
})

/** An option that may be repeated. */
export const listOption = (help: string, choices?: readonly string[]): Option<string[]> => ({
  help: `${withChoices(help, choices)}; can be repeated`,
  kind: 'text',
  isList: true,
  read: (texts) => texts.map((text) => requireChoice(text, choices)),
})

export const flagOption = (help: string): Option<boolean> => ({
  help,
  kind: 'flag',
  read: (values) => values.length > 0,
})

const withChoices = (help: string, choices?: readonly string[]) =>
  choices === undefined ? help : `${help}: ${choices.join(', ')}`

function requireChoice(text: string, choices?: readonly string[]): string {
  if (choices?.includes(text) === false) throw new Error(`must be one of ${choices.join(', ')}, not ${text}`)
  return text
}

interface Definition<Known extends Options> extends Omit<Command, 'options' | 'run'> {
  options: Known
  /** @returns whether everything is as it must be, for a command that checks something */
  run(values: ValuesOf<Known>, words: readonly string[]): Promise<void> | Promise<boolean>
}

/** Creates a command that checks its arguments before it runs. */
export const defineCommand = <Known extends Options>({ run, ...definition }: Definition<Known>): Command => ({
  ...definition,
  async run(args) {
    const { values, words } = readArguments(definition, args)
    // Each option was read by its own declaration.
    const isGood = await run(values as ValuesOf<Known>, words)
    return isGood === false ? 1 : 0
  },
})

/** @throws UsageError naming what is wrong */
function readArguments({ options, words }: Pick<Command, 'options' | 'words'>, args: readonly string[]) {
  const known = Object.entries(options)
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: words !== undefined,
      options: Object.fromEntries(
        known.map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string', multiple: true }]),
      ),
    })
    for (const word of parsed.positionals) requireChoice(word, words?.choices)
    const values = known.map(([name, option]) => [name, readOption(name, option, parsed.values[name])] as const)
    return { values: Object.fromEntries(values), words: parsed.positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readOption(name: string, { isList, read }: Option<unknown>, given: unknown): unknown {
  const values = Array.isArray(given) ? given.map(String) : []
  if (values.length > 1 && !isList) throw new Error(`--${name} is given ${values.length} times`)
  try {
    return read(values)
  } catch (error) {
    throw new Error(`--${name} ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Runs one of several commands by name and ends the process: with 0, with 1 if the command failed or found something,
 * or with 2 and the usage if the arguments are wrong. `--help` prints the usage and starts nothing.
 *
 * @param program how it is called, for example `npm run bench --`
 */
export async function runCommands(
  program: string,
  commands: Readonly<Record<string, Command>>,
  [name = '', ...args]: readonly string[],
): Promise<never> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const usage = command === undefined ? formatCommands(program, commands) : formatUsage(program, name, command)
  if (name === '--help' || (command !== undefined && args.includes('--help'))) return exit(0, usage, process.stdout)
  if (command === undefined) return exit(2, usage, process.stderr)
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
    process.once(signal, () => process.exit(128 + number))
  try {
    return process.exit(await command.run(args))
  } catch (error) {
    if (error instanceof UsageError) return exit(2, `${error.message}\n${usage}`, process.stderr)
    return exit(1, error instanceof Error ? `${error.stack}` : String(error), process.stderr)
  }
}

function exit(code: number, text: string, stream: NodeJS.WriteStream): never {
  stream.write(`${text}\n`)
  return process.exit(code)
}

const formatCommands = (program: string, commands: Readonly<Record<string, Command>>): string =>
  [
    `usage: ${program} <command> [options], or ${program} <command> --help`,
    ...formatRows(Object.entries(commands).map(([name, { summary }]) => [name, summary.split('\n')[0] ?? ''])),
  ].join('\n')

const formatUsage = (program: string, name: string, { summary, words, options }: Command): string =>
  [
    `usage: ${program} ${name}${words === undefined ? '' : ' [name…]'} [options]`,
    summary,
    ...formatRows([
      ...(words === undefined ? [] : [['name…', withChoices(words.help, words.choices)] as const]),
      ...Object.entries(options).map(
        ([option, { kind, help }]) => [`--${option}${kind === 'flag' ? '' : ' <value>'}`, help] as const,
      ),
    ]),
  ].join('\n')

function formatRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`)
}
