import { html } from './html.ts'
import type { SitePage } from './site-page.ts'

/** Served with the status 404 for every path below `/docs` that has no page. */
export const notFoundPage: SitePage = {
  path: '/docs/404',
  title: 'Page not found',
  description: 'The documentation has no page at this address.',
  section: '404',
  body: html`<p class="lead">The documentation has no page at this address.</p><ul class="links"><li><a href="/docs">Start of the documentation</a></li><li><a href="/docs/api">API reference</a></li><li><a href="/docs/errors">Error codes</a></li></ul>`,
  entries: [],
  isListed: false,
}
