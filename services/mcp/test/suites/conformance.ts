import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { conformanceExceptions } from '../fixture/conformance-exceptions.ts'
import { startCredentialProxy } from '../fixture/credential-proxy.ts'
import { credentialOf, type McpSuite, type Revision, revisions } from '../fixture/mcp-fleet.ts'

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** At least so many checks have a result, so that a suite that runs nothing does not pass. */
const minPassedChecks: Record<Revision, number> = { '2026-07-28': 60, '2025-11-25': 30 }

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Runs what a revision requires of servers, and returns every check. */
async function runSuite(url: string, revision: Revision): Promise<Check[]> {
  const output = await mkdtemp(join(tmpdir(), 'wp-conformance-'))
  try {
    const args = [program, 'server', '--url', url, '--requirements', revision, '--output-dir', output]
    await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 }).catch((error: unknown) => {
      // the exit code tells that a check failed; which ones is compared below
      if (!(error instanceof Error && 'code' in error && error.code === 1)) throw error
    })
    const files = globSync('*/checks.json', { cwd: output }).map((file) => readFile(join(output, file), 'utf8'))
    return (await Promise.all(files)).flatMap((text): Check[] => JSON.parse(text))
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

/** Returns the checks of a revision. The suite waits for fixed times: what fails on a busy machine runs once more. */
async function check(url: string, revision: Revision, listed: readonly string[]): Promise<Check[]> {
  const checks = await runSuite(url, revision)
  const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
  return failed.toSorted().join() === listed.toSorted().join() ? checks : runSuite(url, revision)
}

/** Tests what the conformance suite of the protocol requires. */
export function describeConformance(suite: McpSuite): void {
  describe('the conformance suite', () => {
    let proxy: Awaited<ReturnType<typeof startCredentialProxy>>
    beforeAll(async () => {
      proxy = await startCredentialProxy(suite.pagePort, suite.mcp.url, credentialOf(suite.mcp.context.owner.principal))
    })
    afterAll(() => proxy?.close())

    it.each(revisions)('every check of revision %s passes except those listed with a reason', async (revision) => {
      const listed = conformanceExceptions[revision].flatMap((exception) => exception.checks)
      const checks = await check(proxy.url, revision, listed)
      const failed = checks.filter(({ status }) => status === 'FAILURE')
      const passed = checks.filter(({ status }) => status === 'SUCCESS')
      expect(failed.filter(({ id }) => !listed.includes(id))).toEqual([])
      expect(failed.map(({ id }) => id).toSorted()).toEqual(listed.toSorted())
      expect(passed.length).toBeGreaterThanOrEqual(minPassedChecks[revision])
    })
  })
}
