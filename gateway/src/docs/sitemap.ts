import { escapeHtml } from '@wp/service'

/** Returns the sitemap of the documentation (https://www.sitemaps.org/protocol.html). */
export const renderSitemap = (base: string, paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>${escapeHtml(`${base}${path}`)}</loc></url>`)
    .join('')}</urlset>\n`
