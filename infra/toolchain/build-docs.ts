// Builds the documentation site that the edge serves at /docs, unless its sources are those of the last build. Its
// libraries are development dependencies: without them, as in an installation for production, nothing is built.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesIn, runWebBuild } from './web-build.ts'

const folder = 'gateway/docs-site'

await runWebBuild({
  name: 'documentation',
  folder,
  sources: [
    ...[folder, 'docs/guides', 'CHANGELOG.md', 'packages/contracts/src', 'services/console/web/src/theme/tokens.css'],
    ...['packages/client/README.md', 'packages/cli/README.md', 'clients/python/README.md'],
    ...['pnpm-lock.yaml', 'infra/toolchain/build-docs.ts', 'infra/toolchain/web-build.ts'],
  ],
  async build(outDir) {
    const { buildSite } = await import('../../gateway/docs-site/src/build-site.ts')
    await buildSite(outDir)
  },
  finish: writeFileList,
})

/**
 * Writes `files.json`: every file with its entity tag and the encodings in which it is there. The edge serves these.
 */
function writeFileList(outDir: string): void {
  const files = filesIn(outDir)
    .filter((file) => !/\.(?:br|gz)$/.test(file))
    .map((file) => {
      const tag = createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 22)
      return { name: relative(outDir, file), tag, br: existsSync(`${file}.br`), gzip: existsSync(`${file}.gz`) }
    })
  writeFileSync(join(outDir, 'files.json'), JSON.stringify(files))
}
