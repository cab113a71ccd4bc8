// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random A64 words, as bytes on stdout: random WORDS SEED
 *
 * Half of them are uniform. The other half belongs to the groups that read and write
 * the program counter: branches, system instructions, addresses, literals, exclusives.
 */
static u64 state;

static u64 next(void)			/* splitmix64 */
{
	u64 z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static u32 word(void)
{
	static const u32 groups[][2] = {
		{ 0x1fffffff, 0x14000000 },	/* mask of the random bits, value of the others */
		{ 0x003fffff, 0xd5000000 },
		{ 0x0000ffff, 0xd5030000 },
		{ 0x000fffff, 0xd5180000 },
		{ 0x00ffffff, 0xd4000000 },
		{ 0x01ffffff, 0xd6000000 },
		{ 0x006003ff, 0xd61f0800 },
		{ 0xc4ffffff, 0x18000000 },
		{ 0xe0ffffff, 0x10000000 },
		{ 0xc0ffffff, 0x08000000 },
		{ 0xc6ffffff, 0x19000000 },
		{ 0x8001ffff, 0x5ac00000 },
	};
	u64 bits = next();
	const u32 *group = groups[(bits >> 40) % ARRAY_SIZE(groups)];

	if (bits >> 63)
		return bits;
	return group[1] | (bits & group[0]);
}

int main(int argc, char **argv)
{
	u64 words = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	while (words--) {
		u32 w = word();

		fwrite(&w, sizeof(w), 1, stdout);
	}
	return 0;
}
