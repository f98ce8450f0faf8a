// npm run audit: fails if a production dependency has a known vulnerability of the severity high or critical. A
// registry that has no list of vulnerabilities, or is unreachable, is reported and accepted, because that says nothing
// about them.
import { runPnpm } from './pnpm.ts'

const registry = process.env.AUDIT_REGISTRY
const { code, output } = runPnpm([
  ...['audit', '--prod', '--audit-level', 'high'],
  ...(registry === undefined ? [] : ['--registry', registry]),
])
const isUnavailable = /ERR_PNPM_AUDIT_BAD_RESPONSE|Failed to request the audit endpoint/.test(output)
process.stdout.write(isUnavailable ? 'audit skipped: the registry has no list of vulnerabilities\n' : output)
process.exitCode = isUnavailable ? 0 : code
