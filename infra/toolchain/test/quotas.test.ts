import { afterAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, runProgram } from '@wp/testkit'

const server = await createTestDatabase('quotas-test')
afterAll(() => server.drop())

const quotas = (...args: string[]) =>
  runProgram('infra/toolchain/quotas.ts', args, { DATABASE_WORKER_URL: server.workerUrl })

describe('npm run quotas', () => {
  it('sets, lists and removes the limits of a workspace', async () => {
    expect((await quotas('data', 'ws_1', 'sources', '7')).stdout).toBe('sources  7  (default 200)\n')
    await quotas('data', 'ws_1', 'records', '0')
    await quotas('data', 'ws_2', 'sources', '9')
    expect((await quotas('data', 'ws_1')).stdout).toBe('records  0  (default 5000000)\nsources  7  (default 200)\n')
    expect((await quotas('data', 'ws_1', 'sources', 'default')).stdout).toBe('records  0  (default 5000000)\n')
  })

  it('rejects a quota that the service does not count, a wrong id and a wrong limit', async () => {
    const failure = (...args: string[]) => quotas(...args).catch(({ stderr }: { stderr: string }) => stderr)
    expect(await failure('auth', 'ws_1', 'sources', '7')).toContain(
      'auth counts no quota "sources"; it counts: workspaces',
    )
    expect(await failure('auth', 'ws_1', 'workspaces', '7')).toContain('begins with usr_')
    expect(await failure('data', 'ws_1', 'sources', '1.5')).toContain('whole number')
    expect(await failure('data')).toContain('usage:')
  })
})
