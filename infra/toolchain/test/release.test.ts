import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { addToManifest, addToProject, writeAddresses } from '../release/addresses.ts'
import { readVersion, releaseChangelog, versionFiles } from '../release/version.ts'

const root = join(import.meta.dirname, '../../..')

describe('a release', () => {
  it.each(versionFiles())('finds the version in %s', (path, pattern) => {
    const [version] = pattern.exec(readFileSync(join(root, path), 'utf8')) ?? []
    pattern.lastIndex = 0
    expect(version).toBe(readVersion())
  })

  it('finds every manifest of the workspace', () => {
    const paths = versionFiles().map(([path]) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['bench/package.json', 'services/console/web/package.json', 'packages/cli/package.json']),
    )
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('moves the unreleased entries of the changelog under the version', () => {
    const text = '# Changelog\n\n## Unreleased\n\nNo version has been released yet. All of it.\n\n### Added\n\n- A.\n'
    const released = releaseChangelog(text, '0.2.0', '2026-01-05')
    expect(released).toBe('# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-01-05\n\n### Added\n\n- A.\n')
    const next = releaseChangelog(released.replace('## Unreleased\n', '## Unreleased\n\n- B.\n'), '0.3.0', '2026-02-05')
    expect(next).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-02-05\n\n- B.\n\n## 0.2.0 - 2026-01-05\n\n### Added\n\n- A.\n',
    )
  })

  it('writes the addresses that it is given, and keeps the others', () => {
    const repository = 'https://git.example.com/project'
    const manifest = addToManifest('{"name":"a","homepage":"https://a.example.com"}', { repository })
    expect(JSON.parse(manifest)).toEqual({
      name: 'a',
      homepage: 'https://a.example.com',
      repository: { type: 'git', url: `git+${repository}` },
    })
    const project = addToProject('[project.urls]\nIssues = "https://b.example.com"\nRepository = "old"\n\n[tool]\n', {
      repository,
      homepage: 'https://c.example.com',
    })
    expect(project).toBe(
      `[project.urls]\nRepository = "${repository}"\nHomepage = "https://c.example.com"\nIssues = "https://b.example.com"\n\n[tool]\n`,
    )
    expect(readFileSync(join(root, 'clients/python/pyproject.toml'), 'utf8')).toContain('\n[project.urls]\n')
    expect(() => writeAddresses({ bugs: 'git.example.com' })).toThrow('--bugs')
  })

  it('refuses a changelog without unreleased entries', () => {
    expect(() => releaseChangelog('# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- A.\n', '0.2.0', '2026-01-05')).toThrow(
      'no entries',
    )
  })
})
