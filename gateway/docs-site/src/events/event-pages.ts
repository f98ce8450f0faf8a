import { type WebhookEventKind, webhookEventKinds, webhookEvents } from '@wp/contracts'
import { z } from 'zod'
import { type Html, html } from '../html.ts'
import { renderCodeGroup } from '../markdown/code-group.ts'
import type { Highlight } from '../markdown/highlight.ts'
import { renderSchema } from '../reference/schema-view.ts'
import type { SitePage } from '../site-page.ts'

/** Makes the page of each event kind: its payload and an example of a delivery. */
export const eventPages = (highlight: Highlight): SitePage[] =>
  webhookEventKinds.map((kind) => eventPage(kind, highlight))

function eventPage(kind: WebhookEventKind, highlight: Highlight): SitePage {
  const { summary, data, example } = webhookEvents[kind]
  const schema = z.toJSONSchema(data, { io: 'output', unrepresentable: 'any' }) as Record<string, unknown> // toJSONSchema returns a plain JSON object
  const delivery = {
    event: kind,
    workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
    request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
    payload: example,
  }
  const path = `/docs/events/${kind}`
  return {
    path,
    title: kind,
    description: `${summary}.`,
    section: 'Event kinds',
    body: html`<p class="lead">${summary}.</p><h2 id="payload">Payload</h2>${renderSchema(schema, schema)}<p>Every delivery is signed and sent at least once: see <a href="/docs/webhooks/receiving">receiving webhooks</a>.</p>`,
    aside: renderCodeGroup(
      [{ language: 'json', title: 'Body of a delivery', code: JSON.stringify(delivery, null, 2) }],
      highlight,
    ),
    entries: [{ address: path, title: kind, page: '', section: 'Event kinds', text: summary }],
  }
}

/** Renders the list of all kinds, for the guide about events. */
export const renderEventCatalogue = (): Html =>
  html`<ul class="codes">${webhookEventKinds.map((kind) => html`<li><a href="/docs/events/${kind}"><code>${kind}</code></a> <span>${webhookEvents[kind].summary}</span></li>`)}</ul>`
