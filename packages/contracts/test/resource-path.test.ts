import { describe, expect, it } from '@jest/globals'
import { idPrefixes } from '../src/core/shape/id.ts'
import { resourcePath } from '../src/webhooks/resource-path.ts'

const suffix = '01h455vb4pex5vsknk084sn02q'

/** Kinds of resources that no endpoint reads by their id alone. */
const withoutPath = ['wdel', 'ses', 'inv', 'login', 'att', 'evt', 'ntf', 'plan', 'sub', 'trg', 'case', 'req', 'rrq']

describe('the path of a resource', () => {
  it('is that of its own kind for every prefix', () => {
    const paths = Object.keys(idPrefixes).map((prefix) => [prefix, resourcePath(`${prefix}_${suffix}`)])
    const expected = {
      ws: '/v1/system/workspaces/',
      usr: '/v1/auth/admin/users/',
      sp: '/v1/auth/admin/service-principals/',
      akey: '/v1/auth/api-key/',
      role: '/v1/auth/admin/roles/',
      src: '/v1/data/sources/',
      rec: '/v1/data/records/',
      sync: '/v1/data/syncs/',
      int: '/v1/integrations/integrations/',
      bp: '/v1/agents/blueprint/',
      agt: '/v1/agents/agents/',
      evs: '/v1/agents/evaluation-sets/',
      eval: '/v1/agents/evaluations/',
      run: '/v1/ai/runs/',
      conv: '/v1/ai/conversations/',
      wh: '/v1/webhooks/webhooks/',
      dlv: '/v1/webhooks/deliveries/',
      rpl: '/v1/webhooks/replays/',
      rcv: '/v1/webhooks/receivers/',
      plink: '/v1/webhooks/portal-links/',
      dest: '/v1/webhooks/destinations/',
      log: '/v1/audit/logs/',
      doc: '/v1/audit/docs/',
      bill: '/v1/billing/invoices/',
      fr: '/v1/solutions/workplace/forecast/runs/',
      rcm: '/v1/solutions/workplace/recommendations/',
      spc: '/v1/solutions/workplace/spaces/',
      team: '/v1/solutions/workplace/teams/',
      ds: '/v1/solutions/workplace/datasets/',
      dsr: '/v1/solutions/workplace/refreshes/',
      scn: '/v1/solutions/workplace/scenarios/',
      pls: '/v1/solutions/workplace/plan-schedules/',
      dpl: '/v1/solutions/workplace/plans/',
    }
    expect(Object.fromEntries(paths)).toEqual({
      ...Object.fromEntries(withoutPath.map((prefix) => [prefix, undefined])),
      ...Object.fromEntries(Object.entries(expected).map(([prefix, path]) => [prefix, `${path}${prefix}_${suffix}`])),
    })
  })

  it('is missing for a text that is no identifier', () => {
    expect(['question_answering', 'member', '', 'run_', `x_${suffix}`].map(resourcePath)).toEqual(
      Array(5).fill(undefined),
    )
  })
})
