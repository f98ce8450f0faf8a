import { join } from 'node:path'
import { installStep, type ProgramResult, runProgram } from '../openapi-generators/run-program.ts'
import { checks, omittedOperations } from './checks.ts'

export const schemathesisVersion = '4.32.5'

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
  seed: string
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
      ...['--max-examples', String(run.casesPerOperation), '--workers', '2', '--seed', run.seed],
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
