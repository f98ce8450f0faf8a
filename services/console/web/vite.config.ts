import react from '@vitejs/plugin-react'
import { createEndpointTable } from '@wp/client'
import { defineConfig, type Plugin } from 'vite'

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

/** Starts loading the font of Latin text with the page: text that changes its font would move. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
      if (font === undefined) throw new Error('the bundle has no font to preload')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/console/${font}` }
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
    },
  },
})

/** Starts the request for the session with the page, not after the application has been loaded. */
const firstSession = (): Plugin => {
  return {
    name: 'first-session',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/session/first-session.ts', name: 'first-session' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'first-session')
        if (chunk === undefined) throw new Error('the bundle has no chunk of the first session')
        return [
          {
            tag: 'script',
            attrs: { type: 'module', async: true, src: `/console/${chunk.fileName}` },
            injectTo: 'head-prepend',
          },
        ]
      },
    },
  }
}

export default defineConfig({
  base: '/console/',
  plugins: [react(), endpointTable(), preloadFont(), firstSession()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2023',
    // The content security policy allows neither inline scripts nor inline styles, and fonts and images of the origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 400,
  },
})
