import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createEndpointTable } from '@wp/client'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { frameMarkup, frameStyle } from './static-frame.ts'

const tableModule = 'virtual:endpoint-table'

/** Inserts the endpoints as JSON, so that the initial bundle contains neither the contracts nor zod. */
const endpointTable = (): Plugin => ({
  name: 'endpoint-table',
  resolveId: (id) => (id === tableModule ? `\0${tableModule}` : undefined),
  load: (id) =>
    id === `\0${tableModule}`
      ? `export default JSON.parse(${JSON.stringify(JSON.stringify(createEndpointTable()))})`
      : undefined,
})

/** A call such as `.meta({ description: 'Unit of the value' })` whose text has no computed part. */
const description = /\.meta\(\{\s*description:\s*(["'`])(?:\\.|(?!\1|\$\{)[^\\])*\1,?\s*\}\)/gs

/** Removes the descriptions of the contracts, which the OpenAPI document shows and the console does not. */
const omitDescriptions = (): Plugin => ({
  name: 'omit-descriptions',
  apply: 'build',
  transform: {
    filter: { id: /\/contracts\/src\/.*\.ts$/ },
    handler: (code) => ({ code: code.replace(description, ''), map: null }),
  },
})

/** Starts loading the font of Latin text with the page: text that changes its font would move. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
      if (font === undefined) throw new Error('the bundle has no font to preload')
      const attrs = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossorigin: true,

        href: `/console/${font}`,
      }
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
    },
  },
})

const sourceFile = (path: string) => resolve(import.meta.dirname, 'src', path)

/** The parts of the application that every page of a workspace needs, and the page that most people open first. */
const firstPage = ['app.tsx', 'shell/workspace-frame.tsx', 'home/home-page.tsx'].map(sourceFile)
const signInPage = [sourceFile('sign-in.tsx')]
const portalPage = sourceFile('portal/main.tsx')
const webhookRoutes = sourceFile('webhooks/routes.ts')

const beforePaint = sourceFile('session/before-paint.ts')

/**
 * Puts the frame of a workspace into the page, with a style of its own, and starts loading the parts that the first
 * page needs with the document: otherwise each of them would be discovered when the one before has run. The first
 * requests are sent then too. The styles of the application follow the frame, which does not wait for them.
 */
const showFirstPage = (): Plugin => ({
  name: 'show-first-page',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: beforePaint, name: 'before-paint' })
    this.emitFile({ type: 'asset', name: 'frame.css', source: frameStyle() })
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { path, bundle = {} }) {
      const files = Object.values(bundle)
      const chunks = files.filter((file) => file.type === 'chunk')
      const chunkWith = (module: string) => {
        const chunk = chunks.find(
          ({ moduleIds, facadeModuleId }) => facadeModuleId === module || moduleIds.includes(module),
        )
        if (chunk === undefined) throw new Error(`the bundle has no chunk with ${module}`)
        return chunk
      }
      // No module: it runs before the page is shown.
      const early = (attrs = {}) =>
        ({
          tag: 'script',
          attrs: { src: `/console/${chunkWith(beforePaint).fileName}`, ...attrs },
          injectTo: 'head-prepend',
        }) as const
      if (path !== '/index.html') return [early({ 'data-page': 'sign-in' })]
      const style = files.find((file) => file.type === 'asset' && file.names.includes('frame.css'))
      if (style === undefined) throw new Error('the bundle has no style of the frame')
      const { preloads, styles } = linksTo(firstPage.map(chunkWith), chunks)
      const ownStyles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
      const frame = [frameMarkup(productName), ...new Set([...ownStyles, ...styles])].join('\n    ')
      return {
        html: ownStyles.reduce((page, tag) => page.replace(tag, ''), html).replace('<!--frame-->', () => frame),
        tags: [
          { tag: 'link', attrs: { rel: 'stylesheet', href: `/console/${style.fileName}` }, injectTo: 'head-prepend' },
          early(),
          ...preloads.filter(({ attrs }) => !html.includes(attrs.href)),
        ],
      }
    },
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      // A script that is no module shares its names with the page.
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && file.facadeModuleId === beforePaint) file.code = `(()=>{${file.code}})()`
    },
  },
})

/** The name in the built pages, in whose place the backend writes another one. */
const productName = 'Workspace platform'

/** Returns links that load chunks with everything that they import, and links of their styles. */
function linksTo(first: readonly Rolldown.OutputChunk[], chunks: readonly Rolldown.OutputChunk[]) {
  const found = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) for (const inner of chunks) if (inner.fileName === file) add(inner)
  }
  first.forEach(add)
  const styles = new Set([...found].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
  return {
    preloads: [...found].map(({ fileName }) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${fileName}` },
      injectTo: 'head' as const,
    })),
    styles: [...styles].map((file) => `<link rel="stylesheet" crossorigin href="/console/${file}">`),
  }
}

/**
 * Puts everything that the first page needs into three files: what the sign-in page runs too, what the portal does, and
 * the rest, which the portal does not load. A browser fetches six files at a time, so that dozens of small ones would
 * take longer than their code.
 */
const firstPageChunk: Rolldown.CodeSplittingNameFunction = (module, context) => {
  // The first module of the sign-in page shows it: in a file that other pages load, it would run there.
  if (signInPage.includes(module)) return null
  if (importsOf(signInPage, context).has(module)) return 'base'
  if (!importsOf(firstPage, context).has(module)) return null
  return portalModules(context).has(module) ? 'pages' : 'workspace'
}

/** Returns the modules of the portal, with those of its pages, which it loads when they are opened. */
function portalModules(context: Rolldown.ChunkingContext): Set<string> {
  const pages = context.getModuleInfo(webhookRoutes)?.dynamicallyImportedIds ?? []
  return importsOf([portalPage, ...pages], context)
}

/** Returns modules and all that they import, without what they load later. */
function importsOf(modules: readonly string[], context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(modules)
  for (const module of found)
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) found.add(imported)
  return found
}

/**
 * Compiles all functions of the first page's files with the file, in a thread beside the main thread, not each at its
 * first call: most of them are called at once. Chromium 136 and later read this first line
 * (https://v8.dev/blog/explicit-compile-hints).
 */
const compileFirstPage = (): Plugin => ({
  name: 'compile-first-page',
  apply: 'build',
  augmentChunkHash: ({ name }) => (isOfFirstPage(name) ? compileHint : undefined),
  generateBundle: {
    order: 'post', // Vite itself adds a line to the top of files
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && isOfFirstPage(file.name)) file.code = `${compileHint}\n${file.code}`
    },
  },
})

const compileHint = '//# allFunctionsCalledOnLoad'
const isOfFirstPage = (name: string): boolean => ['base', 'pages', 'workspace'].includes(name)

export default defineConfig({
  base: '/console/',
  plugins: [react(), endpointTable(), omitDescriptions(), preloadFont(), showFirstPage(), compileFirstPage()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2023',
    // The content security policy allows neither inline scripts nor inline styles, and fonts and images of the origin
    // only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'sign-in.html', 'portal.html'],
      output: { codeSplitting: { groups: [{ name: firstPageChunk, debugName: 'first page' }] } },
    },
    sourcemap: false,
    chunkSizeWarningLimit: 400,
  },
})
