import { type Html, html } from './html.ts'
import { icons } from './layout/icons.ts'
import { siteName } from './layout/render-page.ts'
import type { Highlight } from './markdown/code-group.ts'
import { renderCodeGroup } from './markdown/code-group.ts'
import { exampleBase } from './reference/samples.ts'
import type { SitePage } from './site-page.ts'

const lead = 'Connect data, search it, forecast office occupancy, run agents on it, and receive signed webhooks.'

/** Makes the first page. */
export const homePage = (highlight: Highlight): SitePage => ({
  path: '/docs',
  title: siteName,
  description: lead,
  section: 'Documentation',
  body: html`<p class="lead">${lead} One HTTP API, one key, and a <a href="/console/">console</a> on top of it.</p><p class="actions"><a class="button button-primary" href="/docs/quickstart">Start in five minutes</a> <a class="button" href="/docs/api">API reference</a></p>${renderCodeGroup(firstCalls, highlight)}<h2 id="guides">Guides</h2><div class="cards">${cards.map(renderCard)}</div>`,
  entries: [{ address: '/docs', title: siteName, page: '', section: 'Documentation', text: lead }],
})

const firstCalls = [
  {
    language: 'sh',
    code: `curl ${exampleBase}/v1/data/search?q=printer \\\n  -H "x-api-key: $WP_API_KEY"`,
  },
  {
    language: 'ts',
    code: `import { createClient } from '@workspace-platform/client'\n\nconst client = createClient({\n  baseUrl: '${exampleBase}',\n  credential: { apiKey: process.env.WP_API_KEY ?? '' },\n})\nconst { items } = await client.data.search({ query: { q: 'printer' } })`,
  },
  {
    language: 'python',
    code: `import os\n\nfrom workspace_platform import ApiKey, Client\n\nclient = Client("${exampleBase}", ApiKey(os.environ["WP_API_KEY"]))\nhits = client.data.search(q="printer").first_page().items`,
  },
]

interface Card {
  path: string
  title: string
  text: string
  icon: Html
}

const cards: readonly Card[] = [
  {
    path: '/docs/quickstart',
    title: 'Quickstart',
    text: 'Upload rows, search them, and forecast.',
    icon: icons.rocket,
  },
  {
    path: '/docs/authentication',
    title: 'Authentication',
    text: 'API keys, access tokens and scopes.',
    icon: icons.key,
  },
  {
    path: '/docs/data',
    title: 'Data',
    text: 'Uploads, web addresses, PostgreSQL and object stores.',
    icon: icons.database,
  },
  { path: '/docs/search', title: 'Search', text: 'By keywords, by meaning, and by both.', icon: icons.search },
  {
    path: '/docs/forecasting',
    title: 'Forecasting',
    text: 'Forecasts with intervals and measured accuracy.',
    icon: icons.chart,
  },
  {
    path: '/docs/webhooks/receiving',
    title: 'Webhooks',
    text: 'Signed events, retries, replay and polling.',
    icon: icons.bolt,
  },
  { path: '/docs/agents', title: 'Agents', text: 'Models that read your records and cite them.', icon: icons.bot },
  { path: '/docs/mcp', title: 'MCP', text: 'The platform as tools of Claude, Cursor and VS Code.', icon: icons.plug },
  { path: '/docs/errors', title: 'Errors', text: 'Each code: what happened and how to mend it.', icon: icons.book },
]

const renderCard = ({ path, title, text, icon }: Card): Html =>
  html`<a class="card" href="${path}">${icon}<strong>${title}</strong><span>${text}</span></a>`
