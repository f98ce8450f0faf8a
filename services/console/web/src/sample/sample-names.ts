/** The metadata of everything that the sample building consists of, by which it is found and removed. */
export const sampleMetadata = { sample: 'true' } as const

interface Tagged {
  metadata: Record<string, string>
}

/** Returns true for a resource of the sample building. Its site is created first and deleted last. */
export const isSample = ({ metadata }: Tagged): boolean => metadata.sample === sampleMetadata.sample

/** The member of the metadata of the site that says that everything was loaded. */
export const completeMetadata = { sample_complete: 'true' } as const

/** Returns true if the sample building was loaded to its end. */
export const isComplete = ({ metadata }: Tagged): boolean => metadata.sample_complete === 'true'
