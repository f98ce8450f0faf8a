import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { companyFiles } from '../../src/company/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'company-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const program = join(import.meta.dirname, '../../src/company/main.ts')
const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } })

it('npm run company writes every file into a folder relative to where it was typed', async () => {
  const { status, stdout } = run('--out', 'made', '--people', '60', '--floors', '3', '--days', '8', '--seed', '5')
  expect(status).toBe(0)
  expect((await readdir(join(folder, 'made'))).toSorted()).toEqual(Object.values(companyFiles).toSorted())
  expect(stdout).toContain(`${join(folder, 'made', 'expected.json')}  8 days, `)
})

it('npm run company explains its options, and refuses wrong ones', () => {
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--first-day <date>') })
  expect(run()).toMatchObject({ status: 1, stderr: 'company: --out is missing: npm run company -- --help\n' })
  expect(run('--out', 'x', '--days', 'many').stderr).toBe('company: --days must be a whole number, not many\n')
  expect(run('--out', 'x', '--floors', '2').stderr).toContain('floors must be a whole number from 3 to 10000, not 2')
})
