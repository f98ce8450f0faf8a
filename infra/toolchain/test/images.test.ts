import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { signerNames } from '@wp/contracts'
import { readBaseImages } from '../images/build-image.ts'
import { digestInputs } from '../images/checked-inputs.ts'
import { releaseImages, selectImages } from '../images/release-images.ts'
import { runCommand } from '../images/run-command.ts'

const root = join(import.meta.dirname, '../../..')

describe('the images of a release', () => {
  it('are one a process, one with all services, and that of the demo', () => {
    expect(releaseImages.map(({ name }) => name)).toEqual(['platform', 'demo', ...signerNames])
    expect(selectImages(['data', 'platform']).map(({ name }) => name)).toEqual(['platform', 'data'])
    expect(() => selectImages(['database'])).toThrow('unknown image database')
  })

  it('have a stage each in the Dockerfile, whose last one is that of a process', () => {
    const stages = [...readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8').matchAll(/^FROM \S+ AS (\S+)$/gm)]
    expect(stages.map(([, name]) => name)).toEqual(expect.arrayContaining(['platform', 'demo']))
    expect(stages.at(-1)?.[1]).toBe('service')
  })
})

describe('the public images', () => {
  it('are those of the Dockerfile and of docker-compose.yml', () => {
    const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8')
    const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
    const [node, ...others] = readBaseImages()
    expect([...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image)).toEqual([node])
    expect(others.map((image) => image.split(':')[0])).toEqual(['postgres', 'nats'])
    for (const image of others) expect(compose).toContain(`image: ${image}\n`)
  })
})

describe('the digest of the inputs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-images-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const manifest = { name: '@wp/data', dependencies: { zod: '4' }, scripts: { test: 'jest' } }
  beforeEach(() => {
    for (const file of ['infra/docker/Dockerfile', '.dockerignore', 'docker-compose.yml', 'pnpm-lock.yaml'])
      write(file, file)
    write('pnpm-workspace.yaml', 'packages: [services/*]\n')
    write('package.json', '{}')
    write('services/data/package.json', JSON.stringify(manifest))
  })

  it.each(['infra/docker/Dockerfile', '.dockerignore', 'docker-compose.yml', 'pnpm-lock.yaml'])(
    'changes with %s',
    (file) => {
      const before = digestInputs(folder)
      write(file, 'other')
      expect(digestInputs(folder)).not.toBe(before)
    },
  )

  it('changes with the dependencies of a package and with a new package, and not with scripts', () => {
    const before = digestInputs(folder)
    write('services/data/package.json', JSON.stringify({ ...manifest, scripts: {} }))
    expect(digestInputs(folder)).toBe(before)
    write('services/data/package.json', JSON.stringify({ ...manifest, dependencies: {} }))
    const without = digestInputs(folder)
    expect(without).not.toBe(before)
    write('services/ai/package.json', '{}')
    expect(digestInputs(folder)).not.toBe(without)
  })
})

describe('a command', () => {
  it('fails with the end of its output', async () => {
    expect(await runCommand(['sh', '-c', 'echo out; echo error >&2'])).toBe('out\n')
    await expect(runCommand(['sh', '-c', 'seq 100; exit 3'])).rejects.toThrow(/^sh -c .* ended with code 3:\n {2}76\n/)
  })
})
