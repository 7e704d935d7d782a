/** A sound as a function: the same rate, seed and parameters always give the same track. */
export type Recipe<Params> = (rate: number, seed: number, params: Params) => Float32Array<ArrayBuffer>;
