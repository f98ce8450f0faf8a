import { expect, it } from '@jest/globals'
import { escapeHtml } from '../../src/index.ts'

it('escapeHtml escapes every character that can end text or a quoted attribute', () => {
  expect(escapeHtml(`<a href="x" title='y'>R&D</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;R&amp;D&lt;/a&gt;',
  )
})
