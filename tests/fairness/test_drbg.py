"""HMAC_DRBG against NIST's own answers (CAVP, HMAC_DRBG, SHA-256, no reseed): the second of two requests counts."""

import pytest

from bigroad.fairness.drbg import HmacDrbg
from bigroad.fairness.errors import BadRange

PLAIN = (
    "ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488",
    "659ba96c601dc69fc902940805ec0ca8",
    "",
    "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba"
    "6e624abf07745bc107694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668961df86803482cb37ed6d5c0bb8d50cf"
    "1f50d476aa0458bdaba806f48be9dcb8",
)
PERSONALIZED = (
    "5cacc68165a2e2ee20812f35ec73a79dbf30fd475476ac0c44fc6174cdac2b55",
    "6f885496c1e63af620becd9e71ecb824",
    "e72dd8590d4ed5295515c35ed6199e9d211b8f069b3058caa6670b96ef1208d0",
    "f1012cf543f94533df27fedfbf58e5b79a3dc517a9c402bdbfc9a0c0f721f9d53faf4aafdc4b8f7a1b580fcaa52338d4bd95f58966a243cd"
    "cd3f446ed4bc546d9f607b190dd69954450d16cd0e2d6437067d8b44d19a6af7a7cfa8794e5fbd728e8fb2f2e8db5dd4ff1aa275f3588609"
    "8e80ff844886060da8b1e7137846b23b",
)


@pytest.mark.parametrize(("entropy", "nonce", "personalization", "expected"), [PLAIN, PERSONALIZED])
def test_nist_answer(entropy: str, nonce: str, personalization: str, expected: str) -> None:
    drbg = HmacDrbg(bytes.fromhex(entropy), bytes.fromhex(nonce), bytes.fromhex(personalization))
    drbg.generate(128)
    assert drbg.generate(128).hex() == expected


def test_the_size_of_requests_is_part_of_the_stream() -> None:
    whole, parts = HmacDrbg(b"e" * 32, b"n" * 16), HmacDrbg(b"e" * 32, b"n" * 16)
    assert whole.generate(64) != parts.generate(32) + parts.generate(32)


@pytest.mark.parametrize("size", [1, 31, 33, 1024, 65_536])
def test_a_request_is_answered_to_the_byte(size: int) -> None:
    assert len(HmacDrbg(b"e" * 32, b"n" * 16).generate(size)) == size


@pytest.mark.parametrize("size", [0, -1, 65_537])
def test_requests_out_of_range(size: int) -> None:
    with pytest.raises(BadRange):
        HmacDrbg(b"e" * 32, b"n" * 16).generate(size)
