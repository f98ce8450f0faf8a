import { join } from 'node:path'
import { installStep, type ProgramResult, runProgram } from '../openapi-generators/run-program.ts'

export const schemathesisVersion = '4.32.5'

/** The checks of each response, by their names in Schemathesis. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
] as const

/** Checks that are left out, with the reason. */
export const omittedChecks: Readonly<Record<string, string>> = {
  positive_data_acceptance: 'generated ids name no resource, and some rules are no part of JSON Schema',
  use_after_free: 'needs the phase `stateful`; gateway/test/fuzz/fuzz.test.ts covers it',
  ensure_resource_availability: 'needs the phase `stateful`',
  object_level_authorization: 'needs two identities; gateway/test/access/access.test.ts covers it',
}

/** Operations that are left out, with the reason. */
export const omittedOperations: Readonly<Record<string, string>> = {
  'notifications.streamNotifications': 'its stream does not end',
  'system.deleteWorkspace': 'ends the workspace of the run',
  'auth.logout': 'ends the session of the run',
}

/** Installs Schemathesis into a folder and returns its program. @throws ToolUnavailable */
export async function installSchemathesis(cache: string): Promise<string> {
  const folder = join(cache, 'python')
  await installStep('python3', ['-m', 'venv', folder])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await installStep(join(folder, 'bin/python'), [...pip, `schemathesis==${schemathesisVersion}`])
  return join(folder, 'bin/st')
}

interface FuzzRun {
  document: string
  baseUrl: string
  tokenUrl: string
  /** Gets `counts.json`. */
  folder: string
  phases: string
  /** Number of generated requests of an operation. The phase `coverage` has as many as the document gives. */
  casesPerOperation: number
  /** Longest time of the run. */
  minutes: number
  seed: number
  /** Operations to call; empty: all but those left out. */
  operations: readonly string[]
}

/** Sends generated requests. The counts are in `counts.json` of the folder afterwards. */
export function runSchemathesis(program: string, run: FuzzRun): Promise<ProgramResult> {
  const chosen = run.operations.flatMap((id) => ['--include-operation-id', id])
  const omitted = Object.keys(omittedOperations).flatMap((id) => ['--exclude-operation-id', id])
  return runProgram(
    program,
    [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', run.document],
      ...['--url', run.baseUrl, '--phases', run.phases],
      ...['--checks', checks.join(','), '--continue-on-failure', '--no-shrink', '--no-color'],
      ...['--max-examples', String(run.casesPerOperation), '--workers', '2', '--seed', String(run.seed)],
      ...['--generation-database', 'none', '--suppress-health-check', 'all', '--request-timeout', '60'],
      ...(chosen.length > 0 ? chosen : omitted),
    ],
    {
      cwd: run.folder,
      env: {
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        TOKEN_URL: run.tokenUrl,
        COUNTS_FILE: join(run.folder, 'counts.json'),
      },
      timeoutMs: run.minutes * 60_000,
      killSignal: 'SIGINT',
    },
  )
}
