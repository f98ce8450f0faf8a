import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** One thing that a migration does and should not, on a database that is in use. */
export interface Finding {
  file: string
  /** Counted from 1. */
  line: number
  rule: string
  message: string
}

/** What squawk would have otherwise and we would not. */
const excludedRules = [
  // The migrator sets both, and comes again.
  'require-lock-timeout',
  'require-statement-timeout',
  // Which numbers are counts of few things is for each table to say.
  'prefer-bigint-over-int',
  'prefer-identity',
]

/**
 * Migrations that are older were written before there was a database with rows in it, and cannot be changed: their text is
 * in the history of those that developers have. What locks a table for long was no harm to them.
 */
const firstDeployment = '20261121'
const rulesSinceFirstDeployment: ReadonlySet<string> = new Set([
  'require-concurrent-index-creation',
  'ban-drop-not-null',
])

/** Asks squawk what migrations would do to a database that is in use. @param files `…/<timestamp>_<name>/migration.sql` */
export async function lintMigrations(files: readonly string[]): Promise<Finding[]> {
  const isAlone = (file: string) => /^-- migrate: no-transaction\s*$/m.test(readFileSync(file, 'utf8'))
  const findings = await Promise.all([
    runSquawk(
      files.filter((file) => !isAlone(file)),
      '--assume-in-transaction',
    ),
    runSquawk(files.filter(isAlone), '--no-assume-in-transaction'),
  ])
  return findings
    .flat()
    .filter(({ file, rule }) => !(rulesSinceFirstDeployment.has(rule) && isBeforeFirstDeployment(file)))
}

function isBeforeFirstDeployment(file: string): boolean {
  const [timestamp = ''] = basename(dirname(file)).split('_', 1)
  return timestamp.length === 14 && timestamp < firstDeployment
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
  // It exits 1 where it found something, which is no failure of its own.
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

/** The migrations of the platform tables and of every service. */
export const migrationFiles = (): string[] =>
  globSync(['packages/database/platform/*/migration.sql', 'services/*/prisma/migrations/*/migration.sql'], {
    cwd: root,
  })
    .map((path) => join(root, path))
    .sort()
