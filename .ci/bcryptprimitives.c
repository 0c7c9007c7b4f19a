/* For .ci/wine: the function of this name in Windows 10 (ProcessPrng, documented by Microsoft), made of an older one. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    while (size > 0) {
        ULONG part = size < 1 << 20 ? (ULONG)size : 1 << 20;
        if (!RtlGenRandom(data, part))
            return FALSE;
        data += part;
        size -= part;
    }
    return TRUE;
}
