import { type Form, forms } from '@wp/testkit/chromium-fleet'

/** The file of a screenshot. */
export const screenshotName = (page: string, form: Form): string => `${page}.${form}.png`

/** Returns an HTML page that shows the screenshots of each page side by side, with what was found on it. */
export function formatScreensIndex(pages: readonly { name: string; problems: readonly string[] }[]): string {
  const images = (name: string) =>
    // The keys of a constant.
    (Object.keys(forms) as Form[])
      .map((form) => {
        const file = screenshotName(name, form)
        const link = `<a href="${file}"><img src="${file}" alt="${name}, ${form}" loading="lazy"></a>`
        return `<figure style="flex: ${forms[form].viewport.width} 1 0">${link}<figcaption>${form}</figcaption></figure>`
      })
      .join('')
  const sections = pages.map(
    ({ name, problems }) =>
      `<section><h2 id="${name}">${name}</h2>${problems.map((problem) => `<p>${escapeHtml(problem)}</p>`).join('')}<div>${images(name)}</div></section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens of the console</title>
<style>
body { font: 14px system-ui; margin: 24px; background: #ddd } section { margin-bottom: 48px } p { color: #a00 }
div { display: flex; gap: 16px; align-items: flex-start } figure { margin: 0 } img { width: 100%; border: 1px solid #888 }
</style><h1>Screens of the console</h1>
${sections.join('\n')}
</html>
`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
