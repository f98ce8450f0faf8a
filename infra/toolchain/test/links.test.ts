import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
// The links of the guides lead to pages of the documentation site, whose tests check them.
const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'gateway/README.md'],
  ...globSync(['{packages,services}/*/README.md', 'clients/*/README.md'], { cwd: root }),
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/guides/**'] }),
]

it.each(documents)('every link in %s points to an existing file', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const links = [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, link]) => link ?? '')
  const local = links.filter((link) => !/^https?:/.test(link))
  expect(local.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
})

it('includes the documents in docs, and the READMEs of services and packages', () => {
  const some = [
    'docs/walkthrough.md',
    'docs/receiving-webhooks.md',
    'services/system/README.md',
    'packages/jobs/README.md',
  ]
  expect(documents).toEqual(expect.arrayContaining(some))
})
