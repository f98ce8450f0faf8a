import { describe, expect, it } from '@jest/globals'
import { locateJsonError } from '../../src/http/request/locate-json-error.ts'

describe('locateJsonError', () => {
  it.each([
    ['{"name": "a",}', 1, 14, 'a name in double quotes is expected; the last element has no comma after it'],
    ['[1, 2,]', 1, 7, 'a value is expected; the last element has no comma after it'],
    ['{\n  "name": "a"\n  "size": 1\n}', 3, 3, 'a comma or } is expected, not "\\""'],
    ["{'name': 1}", 1, 2, 'a name in double quotes or } is expected; strings have double quotes, not single ones'],
    ['{name: 1}', 1, 2, 'a name in double quotes or } is expected, not "name"'],
    ['{"name" 1}', 1, 9, 'a colon is expected, not "1"'],
    ['{"on": True}', 1, 8, 'a value is expected, not "True"; JSON has true, false and null, in lower case'],
    ['[undefined]', 1, 2, 'a value or ] is expected, not "undefined"; JSON has true, false and null, in lower case'],
    ['{"a": 01}', 1, 8, 'a comma or } is expected, not "1"; a number has no leading zero'],
    ['[-00.5]', 1, 4, 'a comma or ] is expected, not "0.5"; a number has no leading zero'],
    ['[10 1]', 1, 5, 'a comma or ] is expected, not "1"'],
    ['{"a": "b', 1, 7, 'the string that begins here is not closed'],
    ['{"a": [1', 1, 9, 'the text ends here, but a comma or ] is expected'],
    ['{"a":\r\n1}}', 2, 3, 'nothing more is expected after the value, not "}"'],
    ['// note\n{}', 1, 1, 'a value is expected; JSON has no comments'],
    ['"C:\\data"', 1, 4, 'the backslash does not begin an escape such as \\n or \\u00e9; write \\\\ for a backslash'],
    ['["a\nb"]', 1, 4, 'a string must not contain a line break or another control character; escape it'],
    ['', 1, 1, 'the text ends here, but a value is expected'],
  ])('locates the error of %j', (text, line, column, reason) => {
    expect(locateJsonError(text)).toEqual({ line, column, reason })
  })

  it('finds an error in exactly the texts that JSON.parse rejects', () => {
    const document = JSON.stringify([{ a: [1, -2.5e3, true, null, 'x\\n"\u00e9'], b: {}, c: [] }, 'end'])
    const inserted = ['', '"', ',', ']', '}', '{', '[', ':', '\\', '0', '.', 'e', '-', ' ', '\n', '\t', 'u', '/', "'"]
    let rejected = 0
    for (let position = 0; position <= document.length; position++)
      for (const text of inserted)
        for (const removed of [0, 1, 2]) {
          const damaged = document.slice(0, position) + text + document.slice(position + removed)
          const isRejected = !isJson(damaged)
          rejected += isRejected ? 1 : 0
          if ((locateJsonError(damaged) !== undefined) !== isRejected) throw new Error(`disagrees about ${damaged}`)
        }
    expect(rejected).toBeGreaterThan(1000)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
