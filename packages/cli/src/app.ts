import { buildApplication, buildRouteMap, text_en } from '@stricli/core'
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
import { exitCodeOf, formatError } from './errors.ts'

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
  scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
  determineExitCode: exitCodeOf,
  localization: {
    text: {
      ...text_en,
      exceptionWhileRunningCommand: formatError,
      exceptionWhileParsingArguments: formatError,
      noCommandRegisteredForInput: ({ input, corrections }) =>
        `wp: unknown command ${JSON.stringify(input)}${corrections.length === 0 ? '' : `; did you mean ${corrections.join(' or ')}?`}`,
    },
  },
})
