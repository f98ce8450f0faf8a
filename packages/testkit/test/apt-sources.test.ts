import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readDebianMirrors } from '../src/servers/programs/apt-sources.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wp-apt-'))
  write('etc/os-release', 'ID=debian\nVERSION_CODENAME=bookworm\n')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('readDebianMirrors', () => {
  it('reads one-line entries of the own release with the component main', () => {
    write(
      'etc/apt/sources.list',
      `# deb http://commented.example/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm main contrib # trailing
deb-src http://source.example/debian bookworm main
deb http://mirror.example/debian bookworm-updates main
`,
    )
    write('etc/apt/sources.list.d/other.list', 'deb https://packages.example/node nodistro main\n')
    expect(readDebianMirrors(root)).toEqual(['http://mirror.example/debian'])
  })

  it('reads deb822 entries, also with several URIs and continued lines', () => {
    write(
      'etc/apt/sources.list.d/debian.sources',
      `# comment
Types: deb deb-src
URIs: http://one.example/debian
 http://two.example/debian
Suites: bookworm bookworm-updates
Components: main

Types: deb
URIs: http://security.example/debian-security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: bookworm
Components: main
`,
    )
    expect(readDebianMirrors(root)).toEqual(['http://one.example/debian', 'http://two.example/debian'])
  })

  it('returns nothing on a machine without apt', () => {
    expect(readDebianMirrors(root)).toEqual([])
  })
})
