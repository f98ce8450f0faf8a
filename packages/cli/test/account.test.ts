import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { findFreePort, startMailbox, startTestFleet } from '@wp/testkit'
import { createProgram } from './fixture/program.ts'

const mailbox = await startMailbox()
const fleet = await startTestFleet({ services: ['auth'], env: { auth: { SMTP_URL: mailbox.url } } })
const wp = await createProgram(fleet.baseUrl)
afterAll(async () => {
  await wp.close()
  await fleet.stop()
  await mailbox.close()
})

const credentialFile = () => join(wp.folder, 'wp', 'credentials.json')

/** Signs in with the code of a mail, after a wrong one. */
async function signIn(email: string): Promise<string> {
  const login = wp.start(['login', '--email', email])
  const { code } = await mailbox.waitFor((mail) => mail.to === email && mail.code !== null)
  await login.until('Code: ')
  login.write(`${code === '000000' ? '111111' : '000000'}\n`)
  await login.until('wrong or has expired')
  login.write(`${code}\n`)
  const { code: exitCode, stdout, stderr } = await login.ended
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
  return stderr
}

describe('wp login, whoami and logout', () => {
  it('requires a sign-in with exit code 4 when there is no credential', async () => {
    const { code, stdout, stderr } = await wp.run(['whoami'])
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toBe(`wp: not signed in to ${fleet.baseUrl}; run wp login, or set WP_API_KEY or WP_TOKEN\n`)
  })

  it('signs in with a mail code, stores the session in a file of mode 0600, and signs out', async () => {
    const messages = await signIn('cli@example.com')
    expect(messages).toContain(`Signed in to ${fleet.baseUrl} as cli@example.com.`)
    expect((await stat(credentialFile())).mode & 0o777).toBe(0o600)
    expect((await stat(join(wp.folder, 'wp'))).mode & 0o777).toBe(0o700)

    const { code, stdout, stderr } = await wp.run(['whoami', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ principal_type: 'user', email: 'cli@example.com' })
    expect((await wp.run(['whoami', '--jq', '.workspaces[].role'])).stdout).toBe('owner\n')

    const { accounts } = JSON.parse(await readFile(credentialFile(), 'utf8'))
    const token = accounts[fleet.baseUrl].credential.access_token
    expect(await wp.run(['logout'])).toEqual({ code: 0, stdout: '', stderr: `Signed out of ${fleet.baseUrl}.\n` })
    expect(await readFile(credentialFile(), 'utf8')).not.toContain(token)
    expect((await wp.run(['logout'])).code).toBe(4)
    const revoked = await wp.run(['whoami'], { env: { WP_TOKEN: token } })
    expect({ code: revoked.code, last: revoked.stderr.trim().split('\n').at(-1) }).toEqual({
      code: 4,
      last: '  To sign in, run: wp login',
    })
  })

  it('refreshes an expired access token and stores the new tokens', async () => {
    await signIn('refresh@example.com')
    const config = JSON.parse(await readFile(credentialFile(), 'utf8'))
    const before = config.accounts[fleet.baseUrl].credential
    config.accounts[fleet.baseUrl].credential = { ...before, expires_at_ms: 0 }
    await writeFile(credentialFile(), JSON.stringify(config))
    expect((await wp.run(['whoami', '--jq', '.email'])).stdout).toBe('refresh@example.com\n')
    const { credential } = JSON.parse(await readFile(credentialFile(), 'utf8')).accounts[fleet.baseUrl]
    expect(credential.refresh_token).not.toBe(before.refresh_token)
    expect(credential.expires_at_ms).toBeGreaterThan(before.expires_at_ms - 60_000)
  })

  it('stores an API key from standard input, and sends it only to its own platform', async () => {
    const stored = await wp.run(['login', '--with-key'], { input: `${fleet.owner.apiKey}\n` })
    expect(stored).toMatchObject({ code: 0, stdout: '' })
    const { stdout } = await wp.run(['whoami', '--json', 'principal_type,key_id'])
    expect(JSON.parse(stdout)).toEqual({ principal_type: expect.any(String), key_id: expect.stringMatching(/^akey_/) })
    const elsewhere = await wp.run(['whoami'], { env: { WP_BASE_URL: 'http://127.0.0.1:9' } })
    expect(elsewhere).toMatchObject({ code: 4, stdout: '' })
  })

  it('names the file when it is damaged, and the variables when two credentials are set', async () => {
    const damaged = await createProgram(fleet.baseUrl)
    try {
      await mkdir(join(damaged.folder, 'wp'))
      await writeFile(join(damaged.folder, 'wp', 'credentials.json'), '{')
      const { code, stderr } = await damaged.run(['whoami'])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^wp: \S+credentials\.json is not valid JSON; repair or delete it\n$/)
    } finally {
      await damaged.close()
    }
    const both = await wp.run(['whoami'], { env: { WP_API_KEY: 'key', WP_TOKEN: 'token' } })
    expect(both).toMatchObject({ code: 2, stderr: 'wp: WP_API_KEY and WP_TOKEN are both set; unset one of them\n' })
  })

  it('ends with exit code 130 when the input ends, and 1 when the platform cannot be reached', async () => {
    const login = wp.start(['login', '--email', 'eof@example.com'])
    await login.until('Code: ')
    login.end()
    expect(await login.ended).toMatchObject({ code: 130 })
    const WP_BASE_URL = `http://127.0.0.1:${await findFreePort()}`
    const unreachable = await wp.run(['whoami'], { env: { WP_BASE_URL, WP_API_KEY: 'key' } })
    expect(unreachable).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^wp: cannot reach the platform: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/),
    })
  })
})

describe('wp keys', () => {
  it('creates, lists and revokes a key; only the key is written to standard output', async () => {
    const env = { WP_TOKEN: await fleet.token(fleet.owner) }
    const created = await wp.run(['keys', 'create', '--name', 'build', '--scope', 'data:read,data:write'], { env })
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^key_\S+\n$/) })
    const listed = await wp.run(['keys', 'list', '--jq', '.[] | select(.name == "build") | .key_id'], { env })
    const keyId = listed.stdout.trim()
    expect(created.stderr).toContain(keyId)
    const { stdout } = await wp.run(['keys', 'list'], { env })
    const row = stdout.split('\n').find((line) => line.startsWith(keyId))
    expect(row?.split('\t')).toEqual([
      keyId,
      'build',
      created.stdout.trim().slice(-4),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      '',
      '',
      'data:read, data:write',
    ])
    expect(await wp.run(['keys', 'revoke', keyId], { env })).toMatchObject({ code: 0, stdout: '' })
    expect((await wp.run(['keys', 'list', '--jq', 'map(.key_id)'], { env })).stdout).not.toContain(keyId)
  })

  it('names the invalid fields, the code and the request of a refusal', async () => {
    const env = { WP_TOKEN: await fleet.token(fleet.owner) }
    const { code, stderr } = await wp.run(['keys', 'create', '--scope', 'data:all,data:none'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^wp: scopes\/0: .+ \(validation_failed, request req-\S+\)\n {2}scopes\/1: .+\n$/)
  })

  it('acts in the workspace of --workspace or WP_WORKSPACE, or is refused', async () => {
    const env = { WP_TOKEN: await fleet.token(fleet.owner) }
    const { workspaceId } = fleet.stranger
    const byFlag = await wp.run(['keys', 'list', '--workspace', workspaceId], { env })
    const byVariable = await wp.run(['keys', 'list'], { env: { ...env, WP_WORKSPACE: workspaceId } })
    for (const refused of [byFlag, byVariable])
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('(workspace_mismatch, ') })
  })

  it('names the known fields when --json has an unknown one, and the fault of a jq expression', async () => {
    const env = { WP_TOKEN: await fleet.token(fleet.owner) }
    const unknown = await wp.run(['keys', 'list', '--json', 'key_id,secret'], { env })
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toMatch(/^wp: --json: unknown field secret; there are created_at, .*key_id, /)
    const fault = await wp.run(['keys', 'list', '--jq', '.['], { env })
    expect(fault).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^wp: --jq: .*syntax error/) })
  })
})
