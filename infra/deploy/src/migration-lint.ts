import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A statement that must not run on a database in use. */
export interface Finding {
  file: string
  /** Line number, from 1. */
  line: number
  rule: string
  message: string
}

/** Rules of squawk that do not apply here. */
const excludedRules = [
  // The migrator sets both timeouts and retries.
  'require-lock-timeout',
  'require-statement-timeout',
  // Each table chooses its integer types.
  'prefer-bigint-over-int',
  'prefer-identity',
]

/** Returns squawk's findings for a database in use. @param files paths `…/<timestamp>_<name>/migration.sql` */
export async function lintMigrations(files: readonly string[]): Promise<Finding[]> {
  const isAlone = (file: string) => /^-- migrate: no-transaction\s*$/m.test(readFileSync(file, 'utf8'))
  const findings = await Promise.all([
    runSquawk(
      files.filter((file) => !isAlone(file)),
      '--assume-in-transaction',
    ),
    runSquawk(files.filter(isAlone), '--no-assume-in-transaction'),
  ])
  return findings.flat()
}

async function runSquawk(files: readonly string[], transaction: string): Promise<Finding[]> {
  if (files.length === 0) return []
  const { getBinaryPath }: { getBinaryPath(): string } = createRequire(import.meta.url)('squawk-cli/js/index.js')
  const args = [
    '--reporter',
    'json',
    '--pg-version',
    '18.0',
    '--exclude',
    excludedRules.join(','),
    transaction,
    ...files,
  ]
  // squawk exits with 1 if it has findings.
  const { stdout } = await promisify(execFile)(getBinaryPath(), args, { maxBuffer: 16 * 1024 ** 2 }).catch(
    (error: { code?: unknown; stdout?: string; stderr?: string }) => {
      if (error.code === 1 && error.stdout?.startsWith('[')) return { stdout: error.stdout }
      throw new Error(`squawk failed: ${error.stderr ?? ''}`, { cause: error })
    },
  )
  const found: { file: string; line: number; rule_name: string; message: string }[] = JSON.parse(stdout)
  return found.map(({ file, line, rule_name: rule, message }) => ({ file, line: line + 1, rule, message }))
}

const root = join(import.meta.dirname, '../../..')

/** Returns the paths of the migrations of the platform tables and of every service. */
export const migrationFiles = (): string[] =>
  globSync(['packages/database/platform/*/migration.sql', 'services/*/prisma/migrations/*/migration.sql'], {
    cwd: root,
  })
    .map((path) => join(root, path))
    .sort()
