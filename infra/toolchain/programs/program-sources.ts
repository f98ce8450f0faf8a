import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Commands of operators. */
const commands = [
  ...['backup', 'broker', 'keys', 'migrations', 'quotas', 'redrive'].map((name) => `infra/toolchain/${name}.ts`),
  'packages/cli/src/main.ts',
  'services/audit/src/erasure-main.ts',
  'services/audit/src/retention-main.ts',
  'services/auth/src/seed-main.ts',
  'services/billing/src/invoices-main.ts',
]

/** Returns the sources of the programs that are bundled, relative to the project. */
export function listProgramSources(root: string): string[] {
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}/src/main.ts`)
  return [
    'gateway/src/main.ts',
    'infra/local/src/main.ts',
    'infra/local/src/demo/main.ts',
    ...services.filter((path) => existsSync(join(root, path))).sort(),
    // Started by others, as threads and as a child process.
    'services/solutions/src/forecast/threads/worker.ts',
    'services/solutions/src/attendance/count-worker.ts',
    'services/solutions/src/scenarios/scenario-worker.ts',
    'packages/outbound/src/postgres/child/main.ts',
    ...commands,
  ]
}

/** Returns the name of a program's bundle. */
export const bundleName = (source: string): string => source.replaceAll('/', '.').replace(/\.ts$/, '')
