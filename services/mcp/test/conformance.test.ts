import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from '@jest/globals'
import { findFreePort } from '@wp/testkit'
import { conformanceExceptions } from './fixture/conformance-exceptions.ts'
import { startCredentialProxy } from './fixture/credential-proxy.ts'
import { credentialOf, type Revision, revisions, startMcpFleet } from './fixture/mcp-fleet.ts'
import { createSamples } from './fixture/samples.ts'

const suite = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** At least so many checks have a result, so that a suite that runs nothing does not pass. */
const minPassedChecks: Record<Revision, number> = { '2026-07-28': 60, '2025-11-25': 30 }

const port = await findFreePort()
// the suite checks that a page of the address it calls is accepted
const mcp = await startMcpFleet({ CORS_ORIGINS: `http://127.0.0.1:${port}` })
await createSamples(mcp.context)
const proxy = await startCredentialProxy(port, mcp.url, credentialOf(mcp.context.owner.principal))
afterAll(async () => {
  await proxy.close()
  await mcp.stop()
})

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Runs what a revision requires of servers, and returns every check. */
async function runSuite(revision: Revision): Promise<Check[]> {
  const output = await mkdtemp(join(tmpdir(), 'wp-conformance-'))
  try {
    const args = [suite, 'server', '--url', proxy.url, '--requirements', revision, '--output-dir', output]
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
async function check(revision: Revision, listed: readonly string[]): Promise<Check[]> {
  const checks = await runSuite(revision)
  const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
  return failed.toSorted().join() === listed.toSorted().join() ? checks : runSuite(revision)
}

it.each(revisions)('every check of revision %s passes except those listed with a reason', async (revision) => {
  const listed = conformanceExceptions[revision].flatMap((exception) => exception.checks)
  const checks = await check(revision, listed)
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const passed = checks.filter(({ status }) => status === 'SUCCESS')
  expect(failed.filter(({ id }) => !listed.includes(id))).toEqual([])
  expect(failed.map(({ id }) => id).toSorted()).toEqual(listed.toSorted())
  expect(passed.length).toBeGreaterThanOrEqual(minPassedChecks[revision])
})
