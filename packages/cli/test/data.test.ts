import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { createProgram } from './fixture/program.ts'

const fleet = await startTestFleet({ services: ['auth', 'data', 'system', 'audit'] })
const wp = await createProgram(fleet.baseUrl, { WP_TOKEN: await fleet.token(fleet.owner) })
afterAll(async () => {
  await wp.close()
  await fleet.stop()
})

describe('wp sources and search', () => {
  it('uploads a file, lists its rejected rows on standard error, and finds its records', async () => {
    const created = await wp.run(['sources', 'create', 'Rooms', '--key', 'room', '--json', 'data_source_id'])
    const { data_source_id: sourceId } = JSON.parse(created.stdout)
    const file = join(wp.folder, 'rooms.csv')
    await writeFile(file, 'room,text\nnorth,a quiet library\n,without a key\nsouth,a noisy kitchen\n')

    const uploaded = await wp.run(['sources', 'upload', sourceId, file])
    expect(uploaded).toMatchObject({
      code: 1,
      stdout: 'seen\t3\ncreated\t2\nupdated\t0\ndeleted\t0\nrejected\t1\n',
      stderr: expect.stringMatching(
        /^Rejected rows: 1:\n {2}line 3: .+\nwp: 1 of 3 rows were rejected; the others are stored\n$/,
      ),
    })
    const list = await wp.run(['sources', 'list'])
    expect(list.stdout.split('\t').slice(0, 5)).toEqual([sourceId, 'Rooms', 'upload', 'active', '2'])

    const found = await wp.run(['search', 'quiet', 'library', '--source', sourceId, '--jq', '.[].key'])
    expect(found).toEqual({ code: 0, stdout: 'north\n', stderr: '' })
    expect(await wp.run(['search', 'zeppelin', '--source', sourceId])).toMatchObject({ code: 0, stdout: '' })

    const replaced = await wp.run(['sources', 'upload', sourceId, '-', '--type', 'application/x-ndjson', '--full'], {
      input: '{"room":"east","text":"a hall"}\n',
      endsInput: true,
    })
    expect(replaced).toMatchObject({ code: 0, stdout: 'seen\t1\ncreated\t1\nupdated\t0\ndeleted\t2\nrejected\t0\n' })

    const synced = await wp.run(['sources', 'sync', sourceId, '--wait', '--json', 'status,counts'])
    expect(JSON.parse(synced.stdout)).toMatchObject({ status: 'finished', counts: { seen: 1 } })
  })

  it('names the file or the content type when an upload cannot begin', async () => {
    const missing = await wp.run(['sources', 'upload', 'src_1', join(wp.folder, 'absent.csv')])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/absent\.csv cannot be read: ENOENT/) })
    const unknown = await wp.run(['sources', 'upload', 'src_1', 'rooms.pdf'])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('name it: --type text/csv') })
  })
})

describe('wp principals, audit and usage', () => {
  it('creates, lists and deletes a service principal', async () => {
    const created = await wp.run(['principals', 'create', 'robot', '--scope', 'data:read', '--json'])
    const { client_id: clientId, client_secret: secret } = JSON.parse(created.stdout)
    expect(secret).toEqual(expect.any(String))
    expect((await wp.run(['principals', 'list'])).stdout).toContain(`${clientId}\trobot\tactive\t`)
    expect(await wp.run(['principals', 'delete', clientId])).toMatchObject({ code: 0, stdout: '' })
    expect((await wp.run(['principals', 'list'])).stdout).not.toContain(clientId)
  })

  it('follows the audit log until SIGINT, and verifies its chain', async () => {
    const program = wp.start(['audit', 'tail', '--follow', '--action', 'api_key.created', '--json', 'action,targets'])
    const created = await wp.run(['keys', 'create', '--json', 'key_id'])
    const { key_id: keyId } = JSON.parse(created.stdout)
    await program.until(keyId)
    await wp.run(['keys', 'create'])
    await eventually(() => program.stdout().trim().split('\n').length === 2)
    program.signal('SIGINT')
    const { code, stdout } = await program.ended
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))[0],
    ).toEqual({
      action: 'api_key.created',
      targets: [{ type: 'api_key', id: keyId }],
    })
    const verified = await wp.run(['audit', 'verify', '--json', 'status,problem_count'])
    expect(JSON.parse(verified.stdout)).toEqual({ status: 'ok', problem_count: 0 })
    const last = await wp.run(['audit', 'tail', '--limit', '2', '--jq', 'map(.seq)'])
    const [first, second] = JSON.parse(last.stdout)
    expect(second).toBe(first + 1)
  })

  it('shows quotas with their use', async () => {
    const { stdout } = await wp.run(['usage', '--jq', '.quotas[] | select(.quota == "api_keys") | .current'])
    expect(Number(stdout)).toBeGreaterThan(0)
    expect((await wp.run(['usage'])).stdout).toMatch(/^api_keys\tquota\t\d+\t\d+\t\d+\t$/m)
  })
})
