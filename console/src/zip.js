/** An archive of files as they are, without compression (APPNOTE.TXT of PKWARE). Names are UTF-8. */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
    let crc = -1;
    for (const byte of bytes) crc = (crc >>> 8) ^ /** @type {number} */ (TABLE[(crc ^ byte) & 0xff]);
    return ~crc >>> 0;
}

/**
 * @param {{ name: string, content: Uint8Array<ArrayBuffer> }[]} files all together below 4 GiB
 * @returns {Blob}
 */
export function zip(files) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const directory = [];
    let at = 0;
    for (const { name, content } of files) {
        const encoded = new TextEncoder().encode(name);
        // Version 2.0, names in UTF-8, stored, 1 January 1980, the checksum, both sizes, the length of the name.
        const common = [
            20,
            2,
            0x800,
            2,
            0,
            2,
            0,
            2,
            0x21,
            2,
            crc32(content),
            4,
            content.length,
            4,
            content.length,
            4,
            encoded.length,
            2,
        ];
        const header = fields([0x04034b50, 4, 20, 2, ...common.slice(2), 0, 2]);
        parts.push(header, encoded, content);
        directory.push(fields([0x02014b50, 4, 20, 2, ...common, 0, 2, 0, 2, 0, 2, 0, 2, 0, 4, at, 4]), encoded);
        at += header.length + encoded.length + content.length;
    }
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    const end = fields([0x06054b50, 4, 0, 2, 0, 2, files.length, 2, files.length, 2, size, 4, at, 4, 0, 2]);
    return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** Little-endian numbers, each followed by how many bytes it takes. @param {number[]} pairs */
function fields(pairs) {
    /** @type {number[]} */
    const bytes = [];
    for (let i = 0; i < pairs.length; i += 2) {
        const value = /** @type {number} */ (pairs[i]);
        for (let n = 0; n < /** @type {number} */ (pairs[i + 1]); n++) bytes.push((value >>> (8 * n)) & 0xff);
    }
    return Uint8Array.from(bytes);
}
