import { type Html, html } from '../html.ts'
import { markdownAddress } from '../markdown/page-markdown.ts'
import type { Heading, SitePage } from '../site-page.ts'
import { icons } from './icons.ts'
import { type NavGroup, type NavLink, renderNavigation } from './navigation.ts'

/** Addresses of the files that every page loads. */
export interface SiteAssets {
  style: string
  /** Runs before the page is painted: applies the colour scheme that was chosen. */
  themeScript: string
  script: string
  /** The font of Latin text. */
  font: string
  /** Loaded at the first search. */
  searchIndex: string
}

export interface Frame {
  assets: SiteAssets
  navigation: readonly NavGroup[]
  previous: NavLink | undefined
  next: NavLink | undefined
}

/** Renders a whole page. */
export function renderPage(page: SitePage, frame: Frame): string {
  const { assets, navigation } = frame
  const layout = page.path === '/docs' ? 'home' : page.aside === undefined ? 'guide' : 'reference'
  return `<!doctype html>${
    html`<html lang="en" data-index="${assets.searchIndex}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page.title === siteName ? page.title : `${page.title} · ${siteName}`}</title><meta name="description" content="${page.description}"><meta name="color-scheme" content="light dark"><link rel="preload" as="font" type="font/woff2" crossorigin href="${assets.font}"><link rel="stylesheet" href="${assets.style}"><script src="${assets.themeScript}"></script><script type="module" src="${assets.script}"></script><link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">${page.isListed !== false && html`<link rel="alternate" type="text/markdown" href="${markdownAddress(page.path)}">`}</head>
<body><a class="skip" href="#main">Skip to the content</a>${renderHeader()}<div class="frame frame-${layout}"><nav class="sidebar" id="navigation" aria-label="Documentation">${renderNavigation(navigation, page.path)}</nav><main id="main" tabindex="-1"><article><p class="section">${page.section}</p><h1>${page.title}</h1>${page.body}</article>${renderNeighbours(frame)}${renderFooter()}</main>${renderAside(page)}</div>${renderSearch()}</body></html>`
      .markup
  }`
}

export const siteName = 'Workspace platform'

const renderHeader = (): Html =>
  html`<header class="top"><button class="icon-button menu" type="button" aria-label="Navigation" aria-expanded="false" aria-controls="navigation" hidden>${icons.menu}</button><a class="brand" href="/docs">${icons.mark}<span>Workspace platform <span class="brand-docs">Docs</span></span></a><button class="search-button" type="button" hidden>${icons.search}<span class="search-label">Search</span><kbd>Ctrl K</kbd></button><div class="top-links"><a href="/docs/quickstart">Quickstart</a><a href="/docs/api">API reference</a><a href="/console/">Console</a><button class="icon-button theme" type="button" aria-label="Colour scheme" hidden>${icons.sun}${icons.moon}</button></div></header>`

function renderAside({ aside, headings = [] }: SitePage): Html {
  if (aside !== undefined) return html`<aside class="samples" aria-label="Examples">${aside}</aside>`
  if (headings.length < 2) return html`<aside class="contents" aria-hidden="true"></aside>`
  return html`<aside class="contents"><nav aria-labelledby="contents-title"><p class="nav-title" id="contents-title">On this page</p><ul>${headings.map(renderHeadingLink)}</ul></nav></aside>`
}

const renderHeadingLink = ({ id, text, level }: Heading): Html =>
  html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`

function renderNeighbours({ previous, next }: Frame): Html {
  if (previous === undefined && next === undefined) return html``
  return html`<nav class="neighbours" aria-label="Previous and next page">${previous && html`<a class="previous" href="${previous.path}"><small>Previous</small><span>${previous.label}</span></a>`}${next && html`<a class="next" href="${next.path}"><small>Next</small><span>${next.label}</span></a>`}</nav>`
}

const renderFooter = (): Html =>
  html`<footer class="foot"><a href="/openapi.json">openapi.json</a><a href="/docs/changelog">Changelog</a><a href="/docs/versioning">Versioning</a><a href="/console/">Console</a></footer>`

const renderSearch = (): Html =>
  html`<dialog class="search" aria-label="Search"><div class="search-field">${icons.search}<input type="text" enterkeyhint="search" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"><button class="search-close" type="button" aria-label="Close the search"><kbd>Esc</kbd></button></div><div id="search-results" role="listbox" aria-label="Results"></div><p class="search-state" role="status"></p></dialog>`
