import { existsSync } from 'node:fs'
import { join } from 'node:path'
import TestSequencer from '@jest/test-sequencer'

/** The suites that take longest, or their folders. */
const longest = [
  'services/console/test/browser/pages.test.ts',
  'gateway/test/access/access.test.ts',
  'services/solutions/test/workplace/company.test.ts',
  'services/data/test/search/opensearch/engine.test.ts',
  'infra/local/test/faults/',
].map((path) => join(import.meta.dirname, '../../..', path))

const moved = longest.find((path) => !existsSync(path))
if (moved !== undefined) throw new Error(`${moved} does not exist: correct the list of the longest suites`)

/**
 * Begins with the longest suites. Without the times of an earlier run, as in continuous integration, Jest begins with
 * the largest files, and one of these suites would run alone at the end.
 */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = longest.findIndex((start) => path.startsWith(start))
      return place === -1 ? longest.length : place
    }
    return super.sort(tests).sort((a, b) => rank(a) - rank(b))
  }
}
