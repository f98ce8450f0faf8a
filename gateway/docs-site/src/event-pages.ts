import { type WebhookEventKind, webhookEventKinds, webhookEvents } from '@wp/contracts'
import { type Html, html } from './html.ts'
import type { Highlight } from './markdown/code-group.ts'
import { renderCodeGroup } from './markdown/code-group.ts'
import { exampleOfMedia } from './reference/example.ts'
import { type Json, objectOf, resolve } from './reference/json.ts'
import { renderSchema } from './reference/schema-view.ts'
import type { SitePage } from './site-page.ts'

/** Makes the page of each event kind: its payload and an example of a delivery. */
export const eventPages = (document: Json, highlight: Highlight): SitePage[] =>
  webhookEventKinds.map((kind) => eventPage(document, kind, highlight))

function eventPage(document: Json, kind: WebhookEventKind, highlight: Highlight): SitePage {
  const { summary } = webhookEvents[kind]
  const media = mediaOf(document, kind)
  const delivery = resolve(document, media.schema)
  const path = `/docs/events/${kind}`
  return {
    path,
    title: kind,
    description: `${summary}.`,
    section: 'Event kinds',
    body: html`<p class="lead">${summary}.</p><h2 id="payload">Payload</h2>${renderSchema(document, objectOf(delivery.properties).payload)}<p>Every delivery is signed and sent at least once: see <a href="/docs/webhooks/receiving">receiving webhooks</a>.</p>`,
    aside: renderCodeGroup(
      [
        {
          language: 'json',
          title: 'Body of a delivery',
          code: JSON.stringify(exampleOfMedia(document, media), null, 2),
        },
      ],
      highlight,
    ),
    entries: [{ address: path, title: kind, page: '', section: 'Event kinds', text: summary }],
  }
}

/** Returns the JSON body of the deliveries of a kind in the OpenAPI document. */
function mediaOf(document: Json, kind: WebhookEventKind): Json {
  const { post } = resolve(document, objectOf(document.webhooks)[kind])
  const { content } = resolve(document, objectOf(post).requestBody)
  return resolve(document, objectOf(content)['application/json'])
}

/** Renders the list of all kinds, for the guide about events. */
export const renderEventCatalogue = (): Html =>
  html`<ul class="codes">${webhookEventKinds.map((kind) => html`<li><a href="/docs/events/${kind}"><code>${kind}</code></a> <span>${webhookEvents[kind].summary}</span></li>`)}</ul>`
