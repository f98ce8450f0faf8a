import { expect, it } from '@jest/globals'
import { idsIn, withNames } from '../../../../web/src/ui/format/replace-ids.ts'

const source = 'src_01m8h1zqswfk19a4r0b2c3d4e5'
const agent = 'agt_01m8h1zqswfk19a4r0b2c3d4e6'
const text = `The run of ${agent} read the source ${source}.`

it('replaces ids in a text by names, and leaves out those without a name', () => {
  expect(withNames(text, (id) => (id === source ? 'Badges' : undefined))).toBe('The run of read the source “Badges”.')
})

it('finds the ids of a text', () => {
  expect(idsIn(text)).toEqual([agent, source])
  expect(idsIn('src_short and user_name')).toEqual([])
})
