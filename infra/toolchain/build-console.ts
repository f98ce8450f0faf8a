// Builds the web app of the console with Vite, unless its sources are those of the last build. Vite is a development
// dependency of the app: without it, as in an installation for production, nothing is built.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runWebBuild } from './web-build.ts'

const folder = 'services/console/web'
const web = join(import.meta.dirname, '../..', folder)

/** The part of Vite's JavaScript API that is used (https://vite.dev/guide/api-javascript). */
interface ViteApi {
  build(config: { root: string; logLevel: 'warn'; build: { outDir: string; emptyOutDir: boolean } }): Promise<unknown>
}

await runWebBuild({
  name: 'console',
  folder,
  sources: [
    ...[folder, 'packages/client/src', 'packages/contracts/src'],
    ...['pnpm-lock.yaml', 'tsconfig.json', 'infra/toolchain/build-console.ts', 'infra/toolchain/web-build.ts'],
  ],
  async build(outDir) {
    const vite = createRequire(join(web, 'package.json')).resolve('vite')
    const { build }: ViteApi = await import(pathToFileURL(vite).href)
    await build({ root: web, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  },
})
