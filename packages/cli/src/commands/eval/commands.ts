import { buildCommand, buildRouteMap } from '@stricli/core'
import { onePositional, switchFlag, textFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

const two = (first: [string, string], second: [string, string]) =>
  ({
    kind: 'tuple',
    parameters: [first, second].map(([placeholder, brief]) => ({ parse: String, placeholder, brief })) as [
      { parse: StringConstructor; placeholder: string; brief: string },
      { parse: StringConstructor; placeholder: string; brief: string },
    ], // two were given
  }) as const

/** Builds an optional flag with a number. */
const numberFlag = (placeholder: string, brief: string, isValid: (value: number) => boolean) =>
  ({
    kind: 'parsed',
    parse: (text: string) => {
      const value = Number(text)
      if (text.trim() === '' || !isValid(value)) throw new Error(`is not a valid ${placeholder}`)
      return value
    },
    optional: true,
    placeholder,
    brief,
  }) as const

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1

const setId: [string, string] = ['set-id', 'Id of the evaluation set']
const agentId: [string, string] = ['agent-id', 'Id of the agent']

const sets = buildCommand({
  loader: async () => (await import('./eval.ts')).listSets,
  parameters: { flags: listFlags },
  docs: { brief: 'List evaluation sets' },
})

const importCases = buildCommand({
  loader: async () => (await import('./eval.ts')).importCases,
  parameters: {
    flags: { replace: switchFlag('Remove the cases that the set has before'), ...outputFlags },
    positional: two(setId, ['file', 'A file that ends in .jsonl or .csv']),
  },
  docs: { brief: 'Add the cases of a JSONL or CSV file to a set' },
})

const run = buildCommand({
  loader: async () => (await import('./eval.ts')).evaluate,
  parameters: {
    flags: {
      version: numberFlag('version', 'Version of the agent (default: the active one)', isCount),
      minPassRate: numberFlag(
        'share',
        'Without a gate on the agent: the least share that must pass, 0 to 1 (default: 1)',
        (value) => value >= 0 && value <= 1,
      ),
      maxTokens: numberFlag('tokens', 'Most tokens that the evaluation may use', isCount),
      ...outputFlags,
    },
    positional: two(agentId, setId),
  },
  docs: {
    brief: 'Evaluate a version of an agent and print the failing cases',
    fullDescription:
      'Waits for the end of the evaluation. Exit code 1 if the gate of the agent does not let the version pass or, where ' +
      'it has no gate for the set, if too few cases pass. Standard output has a line for each failing case: outcome, ' +
      'name, reason.',
  },
})

const compare = buildCommand({
  loader: async () => (await import('./eval.ts')).compare,
  parameters: {
    flags: {
      baseline: textFlag('evaluation-id', 'Compare with this evaluation (default: that of the active version)'),
      ...outputFlags,
    },
    positional: onePositional('evaluation-id', 'Id of the evaluation'),
  },
  docs: { brief: 'Print the cases that became worse or better; exit code 1 if any became worse' },
})

const activate = buildCommand({
  loader: async () => (await import('./eval.ts')).activate,
  parameters: {
    flags: {
      override: textFlag('reason', 'Activate it against the gate; requires agents:gate, and is audited'),
      ...outputFlags,
    },
    positional: two(agentId, ['version', 'Number of the version']),
  },
  docs: { brief: 'Make a version of an agent the active one, if its gate lets it pass' },
})

/** `eval` is no name that a module can declare. */
export const evaluations = buildRouteMap({
  routes: { sets, import: importCases, run, compare, activate },
  docs: { brief: 'Evaluations of agents' },
})
