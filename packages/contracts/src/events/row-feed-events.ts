import { z } from 'zod'
import { event } from '../core/event.ts'

/** The records of a source changed, which has feeds of rows, or the source was deleted. Their subscribers read them. */
export const rowFeedChanged = event({
  kind: 'ROW_FEED_CHANGED',
  producer: 'data',
  summary: 'There is something to read in feeds of the rows of a data source',
  isSubscribable: false,
  data: z.object({ data_source_id: z.string() }),
  example: { data_source_id: 'src_01h455vb4pex5vsknk084sn02q' },
})
